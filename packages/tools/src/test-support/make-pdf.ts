import { deflateSync } from "node:zlib";

/** A PDF of these objects, numbered from 1; the first is its catalog. */
export function assemblePdf(objects: readonly string[], trailer = ""): Uint8Array {
  let text = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const start = text.length;
  const size = objects.length + 1;
  text += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(text, "latin1"));
}

/** A stream object. */
export function pdfStream(content: string, dictionary = ""): string {
  return `<< ${dictionary} /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

/** A PDF with a page for each list of lines. */
export function makePdf(pages: readonly (readonly string[])[], title = ""): Uint8Array {
  const kids = pages.map((_, index) => `${5 + index * 2} 0 R`).join(" ");
  const objects = pages.flatMap((lines, index) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${6 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    pdfStream(
      deflateSync(
        `BT /F1 12 Tf 50 750 Td ${lines.map((line) => `(${line}) Tj 0 -20 Td`).join(" ")} ET`,
      ).toString("latin1"),
      "/Filter /FlateDecode",
    ),
  ]);
  return assemblePdf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      `<< /Title (${title}) >>`,
      ...objects,
    ],
    "/Info 4 0 R",
  );
}

/** A small PDF that draws itself ten times ten times ten times. */
export function makeLaughingPdf(levels: number): Uint8Array {
  const form = (index: number): string =>
    pdfStream(
      index === levels - 1 ? "BT /F1 12 Tf 20 100 Td (lol) Tj ET" : `/X${index + 1} Do `.repeat(10),
      `/Type /XObject /Subtype /Form /BBox [0 0 300 144] /Resources << /XObject << /X${index + 1} ${7 + index} 0 R >> /Font << /F1 3 0 R >> >>`,
    );
  return assemblePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 144] /Contents 5 0 R /Resources << /XObject << /X0 6 0 R >> >> >>",
    pdfStream("/X0 Do ".repeat(10)),
    ...Array.from({ length: levels }, (_, index) => form(index)),
  ]);
}
