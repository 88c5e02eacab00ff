/** The statuses after which the client raises an error, so that no operation returns (clients/python/monitoring_inventory/connection.py). */
const isRaised = (status: number) => status === 304 || status >= 400;

/** A branch of the parser of replies; blank lines of nested functions are indented. */
const BRANCH = /^ {4}if response\.status_code == (\d+):\n(?:(?: {8}.*)?\n)+/gm;

const AT_THE_END = /^ {4}if client\.raise_on_unexpected_status:\n {8}(raise .*)\n {4}else:\n {8}return None\n/m;

/** Annotations of the replies, on one line or in brackets. */
const RETURNED = /-> \(\n([^()]*)\):$|-> ([\w |[\]]+):$/gm;
const DETAILED = /Response\[((?:[^[\]]|\[[^[\]]*\])*)\]/g;
const DOCUMENTED = /^( +Returns:\n +)([\w |[\]]+)$/gm;

const withoutBlanks = (union: string) => union.split('|').map((name) => name.trim());

/**
 * The module of an operation with the types of successful replies alone: every other status is an exception.
 *
 * @throws Error if the text is not of the known form.
 */
export function typedOperation(text: string): string {
  const successes = [...text.matchAll(BRANCH)]
    .map(([, status]) => Number(status))
    .filter((status) => !isRaised(status));
  if (successes.length === 0 || !AT_THE_END.test(text))
    throw new Error(`An operation of another form: ${text.slice(0, 2000)}`);
  // A status without a body is typed as Any: 304, which is raised, or 204.
  const isEmpty = successes.every((status) => status === 204);
  const succeeded = (union: string) => {
    const names = withoutBlanks(union).filter((name) => !['Error', 'None'].includes(name));
    const kept = isEmpty ? [] : names.filter((name) => name !== 'Any' || names.length === 1);
    return kept.length === 0 ? 'None' : kept.join(' | ');
  };
  const typed = text
    .replaceAll(BRANCH, (branch, status: string) => (isRaised(Number(status)) ? '' : branch))
    .replace(AT_THE_END, '    $1\n')
    .replaceAll(RETURNED, (annotation, wrapped?: string, single?: string) => {
      const union = wrapped ?? single ?? '';
      // Only the unions of replies contain an error.
      return withoutBlanks(union).includes('Error') ? `-> (${succeeded(union)}):` : annotation;
    })
    .replaceAll(DETAILED, (_, union: string) => `Response[${succeeded(union)}]`)
    .replaceAll(DOCUMENTED, (_, before: string, union: string) => `${before}${succeeded(union)}`);
  return typed.replace(/^from \.\.\.models\.error import Error\n/m, (line) =>
    /\bError\b/.test(typed.replace(line, '')) ? line : '',
  );
}

/** The module of shared types: a reply is always parsed. @throws Error if the text is not of the known form. */
export function typedResponse(text: string): string {
  const typed = text.replace('    parsed: T | None\n', '    parsed: T\n');
  if (typed === text) throw new Error('The class Response has another form.');
  return typed;
}
