import { type App, Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { MAX_TENANTS } from '../settings/tenant-list.ts';
import { readSettings } from '../settings/read-settings.ts';
import { resourcesOf, statementsIn, synthesiseStack } from '../synthesis/synthesise.ts';
import { InventoryList } from './inventory-list.ts';

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html: of all inline policies of a role, without blanks. */
const POLICY_CHARACTERS = 10_240;

const ACCOUNT = '111122223333';
const REGION = 'ap-southeast-5';

/** As CloudFormation names the table of a stack with a long name. */
const tableArn = (index: number) =>
  `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/MonitoringInventories-${`tenant-${index}-`.padEnd(32, 'x')}-InventoryTable40A3050B-1ABCDEFGHIJKL`;

const keyArn = `arn:aws:kms:${REGION}:${ACCOUNT}:key/01234567-89ab-cdef-0123-456789abcdef`;

/** Longer than the ARN of any resource of the stack itself. */
const resolved = (document: unknown) =>
  JSON.stringify(document, (_, value: unknown) =>
    typeof value === 'object' && value !== null && ('Ref' in value || 'Fn::GetAtt' in value) ? 'x'.repeat(150) : value,
  );

/** @param encrypted the number of tenants whose tables have a key of the account. */
const synthesiseList = (count: number, encrypted: number) =>
  synthesiseStack((app: App, assets) => {
    const stack = new Stack(app, 'Shared', { env: { account: ACCOUNT, region: REGION } });
    const key = encrypted === 0 ? undefined : Key.fromKeyArn(stack, 'Key', keyArn);
    const tenants = Array.from({ length: count }, (_, index) => ({
      name: `tenant-${index}`,
      inventory: {
        consoleUrl: `https://tenant-${index}.inventory.example.com/`,
        encryptionKey: index < encrypted ? key : undefined,
        table: { tableArn: tableArn(index), tableName: `Table${index}` },
      },
      providers: ['company'],
    }));
    new InventoryList(stack, 'List', { bundles: assets.functions, settings: readSettings({}), providers: [], tenants });
    return stack;
  });

const policiesOf = (count: number, encrypted: number) =>
  resourcesOf(synthesiseList(count, encrypted), 'AWS::IAM::Role').map(({ properties }) => properties['Policies']);

test('the role of the page has room for the most tenants, with keys of their own', () => {
  const [policies, ...others] = policiesOf(MAX_TENANTS, MAX_TENANTS);
  expect(others).toEqual([]);
  const text = resolved(policies);
  for (let index = 0; index < MAX_TENANTS; index += 1) expect(text).toContain(`"${tableArn(index)}"`);
  expect(text.length).toBeLessThan(POLICY_CHARACTERS);
});

test('it uses keys by way of DynamoDB only, also if some tenants have none, and none without encryption', () => {
  const ofKeys = (encrypted: number) =>
    statementsIn(policiesOf(2, encrypted)).filter(({ Action }) => Action.some((action) => action.startsWith('kms:')));
  for (const encrypted of [1, 2]) {
    expect(ofKeys(encrypted)).toHaveLength(1);
    expect(resolved(ofKeys(encrypted))).toContain(
      `"StringEquals":{"kms:ViaService":{"Fn::Join":["",["dynamodb.${REGION}.","${'x'.repeat(150)}"`,
    );
  }
  expect(ofKeys(0)).toEqual([]);
});
