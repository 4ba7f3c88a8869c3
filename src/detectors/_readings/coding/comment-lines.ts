const LINE_COMMENT = /^\s*(?:#(?!include|define|if|else|endif|pragma|!)|\/\/|\/\*|\*(?:\s|\/|$)|--\s|;;|<!--|%%)/;
/** Languages in which a line with `#` is a directive, an attribute, a selector or a private field. */
const HASH_IS_CODE =
  /\.(?:[cm]?[jt]sx?|java|go|rs|c|cc|cpp|cxx|h|hh|hpp|cs|fs|swift|kts?|scala|s?css|less|vue|svelte|dart|m|mm)$/i;

/** Whether a line of a file is blank or a comment in one of the common languages. */
export function isCommentLine(line: string, path = ''): boolean {
  if (line.trimStart().startsWith('#') && HASH_IS_CODE.test(path)) return false;
  return line.trim() === '' || LINE_COMMENT.test(line);
}

/** Comments that a compiler, a linter or a test runner reads. */
const DIRECTIVE =
  /@\w|\b(?:noqa|nolint|nosec|nosonar|noinspection|pylint|flake8|mypy|type: ?ignore|pragma|eslint|prettier|biome|istanbul|c8 ignore|v8 ignore|rubocop|shellcheck|coding[:=]|fmt: ?(?:on|off|skip)|isort|yapf|go:\w|\+build|doctest|frozen_string_literal|sourceMappingURL)/i;

/** Whether a comment has an effect. */
export function isDirective(line: string): boolean {
  return DIRECTIVE.test(line);
}
