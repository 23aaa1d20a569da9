/** Takes bytes that are lent, and keeps them as a text. */
export class CollectText {
  text = "";

  readonly take = (bytes: Uint8Array): undefined => {
    this.text += new TextDecoder().decode(bytes);
  };
}
