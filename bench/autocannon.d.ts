// The package itself comes without types.
declare module "autocannon" {
  export interface Options {
    readonly url: string;
    readonly method: "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
  }

  export interface Result {
    readonly requests: { readonly average: number };
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly non2xx: number;
    readonly errors: number;
  }

  // biome-ignore lint/style/noDefaultExport: that is how the package does it.
  export default function autocannon(options: Options): Promise<Result>;
}
