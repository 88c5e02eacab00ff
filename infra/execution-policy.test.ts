import { readFile } from 'node:fs/promises';
import { everyOption } from './every-option.ts';
import { executionPolicyOfSettings, servicesOf } from './execution-policy.ts';
import { synthesise } from './synthesise.ts';

const text = await readFile(new URL('../docs/execution-policy.json', import.meta.url), 'utf8');
const { Statement } = JSON.parse(text);

test('docs/execution-policy.json follows from the template: `npm run generate` writes it', () => {
  expect(text).toBe(executionPolicyOfSettings());
});

test('it permits the services of every resource, also of those for errors, events and parameters, and no other', () => {
  const [resources] = Statement;
  const services = resources.Action.map((action: string) => action.replace(/:\*$/, ''));
  expect([...services, 'iam'].sort()).toEqual(
    [...new Set([...servicesOf(synthesise()), ...servicesOf(synthesise(everyOption))])].sort(),
  );
  expect(services).toEqual(expect.arrayContaining(['dynamodb', 'events', 'sqs', 'wafv2', 'route53']));
});

test('a managed policy has room for it: 6,144 characters without blanks', () => {
  expect(JSON.stringify(JSON.parse(text)).length).toBeLessThan(6144);
});

test('roles are the only resources of IAM, and no wildcard permits other actions on them', () => {
  const ofIam = Statement.flatMap(({ Action, Resource }: any) =>
    [Action].flat().flatMap((action: string) => (action.startsWith('iam:') ? [[action, Resource]] : [])),
  );
  for (const [action, resource] of ofIam) {
    expect(action).not.toContain('*');
    expect(resource).toMatch(/^arn:\*:iam::\*:role\//);
  }
});
