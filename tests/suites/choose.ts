import { COMMON_PATHS, type Suite, suites } from './suites.ts';

/** What a person asked for: all suites of a run, some by name, or those that a change since a revision affects. */
export type Choice = { readonly names: readonly string[] } | { readonly since: string } | { readonly run: Suite['in'] };

/**
 * @param args `gate`, `full`, names of suites, or `--since` with a revision.
 * @throws Error for a name that no suite has.
 */
export function readChoice(args: readonly string[]): Choice {
  const [first, second, ...others] = args;
  if (first === '--since') {
    if (second === undefined || others.length > 0) throw new Error('Usage: .ci/full --since REV');
    return { since: second };
  }
  if (args.length === 1 && (first === 'gate' || first === 'full')) return { run: first };
  const unknown = args.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0)
    throw new Error(`No suite ${unknown.join(', ')}. There are: ${suites.map(({ name }) => name).join(' ')}`);
  return { names: args };
}

/** @param changed paths from the root. */
export function suitesChangedBy(changed: readonly string[]): Suite[] {
  return suites.filter(
    (suite) =>
      suite.in === 'full' &&
      changed.some((path) => [...COMMON_PATHS, ...suite.changedBy].some((prefix) => path.startsWith(prefix))),
  );
}
