const CODE_FILE =
  /\.(?:py|pyi|ipynb|[cm]?[jt]sx?|java|go|rs|c|cc|cpp|cxx|h|hh|hpp|cs|fs|vb|rb|php|swift|kts?|scala|groovy|sh|bash|ps1|sql|html?|s?css|less|vue|svelte|astro|lua|pl|pm|r|jl|exs?|erl|clj|hs|mli?|zig|nim|dart|m|mm|sol|tf|proto|gradle|cmake)$/i;

/** Whether the name of a file is that of source code. */
export function isCodeFile(path: string): boolean {
  return CODE_FILE.test(path);
}
