/** The product gets its clocks and timers as arguments: tests replace them. */
import { processUses } from './support/process-uses.ts';
import { testSources } from './support/test-sources.ts';

/** Files that use the clock and the timers of the process, and why. A folder stands for its files. */
const exceptions: Readonly<Record<string, string>> = {
  'shared/core/monotonic-clock.ts': 'defines the clock of deadlines and intervals',
  'shared/core/time-of-day.ts': 'defines the time of day',
  'clients/cli/src/core/clock.ts': 'defines the clock of the command line',
  'clients/typescript/src/clock.ts': 'defines the clock of the client',
  'functions/identity/oidc/identity.ts': 'the library for OpenID Connect reads this clock, and takes differences to it',
  'infra/assets/build-info.ts': 'the time of a build without a commit',
  'console/': 'a page has one clock, which its tests replace as a whole',
};

const PRODUCT = /^(shared|functions|local|gateway|clients|infra|console)\//;

const uses = [...(await testSources())]
  .filter(([path]) => PRODUCT.test(path) && !/\.test\.tsx?$/.test(path) && !path.startsWith('shared/testing/'))
  .map(([path, { text }]) => ({ path, uses: processUses(text).filter(({ kind }) => kind !== 'starts a process') }))
  .filter(({ uses }) => uses.length > 0);

const exceptionOf = (path: string) => Object.keys(exceptions).find((name) => path.startsWith(name));

test('only files that define a clock or start a program use the process clock and timers', () => {
  const wrong = uses
    .filter(({ path }) => exceptionOf(path) === undefined)
    .flatMap(({ path, uses }) => uses.map(({ line, kind, what }) => `${path}:${line} ${kind}: ${what}`));
  expect(wrong).toEqual([]);
});

test('each exception is a file that needs it', () => {
  const needed = new Set(uses.map(({ path }) => exceptionOf(path)));
  expect(Object.keys(exceptions).filter((name) => !needed.has(name))).toEqual([]);
});
