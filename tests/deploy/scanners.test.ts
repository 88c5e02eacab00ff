import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everyOption } from '../../infra/settings/every-option.ts';
import { synthesise } from '../../infra/synthesis/synthesise.ts';
import { intendedFindings } from './scanner-findings.ts';
import { checkov, parliament } from './scanners.ts';

/** To install a scanner, and to run it. */
const LIMIT_MS = 900_000;

const templates = { default: synthesise(), every: synthesise(everyOption) };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scanners-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe.each(Object.entries({ checkov, parliament }))('%s', (scanner, scan) => {
  test(
    'finds exactly what is listed with a reason',
    async () => {
      const listed = intendedFindings.filter((finding) => finding.scanner === scanner);
      const of = (name: 'default' | 'every') =>
        listed.flatMap(({ templates: those, finding }) => (those.includes(name) ? [finding] : [])).sort();
      // A listed finding that the scanner no longer has is a difference too: remove it from the list.
      expect(await scan(templates, folder)).toEqual({ default: of('default'), every: of('every') });
    },
    LIMIT_MS,
  );

  test(
    'finds a mistake',
    async () => {
      const wrong = structuredClone(templates.default);
      const [role] = Object.values(wrong.Resources).filter(({ Type }) => Type === 'AWS::IAM::Role');
      const Statement = [{ Effect: 'Allow', Action: '*', Resource: '*' }];
      role!.Properties['Policies'] = [{ PolicyName: 'wrong', PolicyDocument: { Version: '2012-10-17', Statement } }];
      const { wrong: wrongFindings } = await scan({ wrong }, folder);
      expect(wrongFindings!.length).toBeGreaterThan(0);
      expect(intendedFindings.map(({ finding }) => finding)).not.toEqual(expect.arrayContaining(wrongFindings!));
    },
    LIMIT_MS,
  );
});
