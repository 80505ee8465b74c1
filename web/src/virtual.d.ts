// What emscripten makes of web/wasm, found by vite.config.js.
declare module "virtual:nrs" {
  export interface Nrs {
    HEAPU8: Uint8Array;
    UTF8ToString(at: number): string;
    _malloc(size: number): number;
    _free(at: number): void;
    _nrs_load(bytes: number, size: number): number;
    _nrs_put(name: number, bytes: number, size: number): void;
    _nrs_simplify(model: number, formula: number, size: number): number;
    _nrs_symbols(model: number, formula: number, size: number): number;
    _nrs_rules(model: number): number;
    _nrs_learn(examples: number, size: number, name: number, kind: number): number;
  }
  export default function createNrs(options: {
    wasmBinary: ArrayBuffer;
    print(line: string): void;
    printErr(line: string): void;
  }): Promise<Nrs>;
}
