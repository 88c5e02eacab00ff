import { isDeepStrictEqual } from 'node:util';
import { endpoints } from '../../functions/api/endpoints.ts';
import { facades } from '../../functions/facades.ts';
import { refusalAttributes, useAttributes } from '../../functions/store/table/keys.ts';
import {
  grantsOf,
  resourceAt,
  resourcesOf,
  roleOf,
  type Statement,
  statementsIn,
  synthesise,
} from '../synthesis/synthesise.ts';

const template = synthesise();
const everything = synthesise({
  customerManagedKey: true,
  waf: true,
  removalPolicy: 'destroy',
  alarmEmail: 'someone@example.com',
  provisionedConcurrency: 1,
});
const { id: table } = resourceAt(template, 'Table/Resource');
const { id: secret } = resourceAt(template, 'AdminPassword/Resource');

const read = ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'];
const reports = [...read, 'dynamodb:ConditionCheckItem', 'dynamodb:DeleteItem', 'dynamodb:UpdateItem'].sort();
const actions = {
  none: [],
  reports,
  // They share the role of reports.
  admissions: reports,
  read,
  write: [
    ...read,
    'dynamodb:ConditionCheckItem',
    'dynamodb:DeleteItem',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
  ].sort(),
};

/** Of the functions with a role of their own, besides the counts. */
const ownActions: Readonly<Record<string, readonly string[]>> = {
  authorizeDevice: ['dynamodb:PutItem'],
  rotateOwnApiKey: [
    ...['dynamodb:BatchGetItem', 'dynamodb:ConditionCheckItem', 'dynamodb:DeleteItem', 'dynamodb:GetItem'],
    'dynamodb:PutItem',
  ],
  endProviderSession: actions.write.filter((action) => action !== 'dynamodb:BatchGetItem'),
};

const LEADING_KEYS = 'dynamodb:LeadingKeys';

const onlyIn = (...partitions: string[]) => ({
  'ForAllValues:StringLike': { [LEADING_KEYS]: partitions },
  Null: { [LEADING_KEYS]: 'false' },
});

const only = (action: string, ...partitions: string[]) =>
  JSON.stringify([[`dynamodb:${action}`], onlyIn(...partitions)]);

/** Permits updating attributes of one partition, and nothing else. */
const updateOf = (partition: string, attributes: readonly string[]) => ({
  Effect: 'Allow',
  Action: ['dynamodb:UpdateItem'],
  Resource: [{ 'Fn::GetAtt': [table, 'Arn'] }],
  Condition: {
    'ForAllValues:StringLike': { [LEADING_KEYS]: [partition] },
    'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', ...attributes] },
    StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
    Null: { [LEADING_KEYS]: 'false', 'dynamodb:Attributes': 'false' },
  },
});

/** Permits reading the format of the table, and counting requests with a rate limit and refused requests, and nothing else. */
const counting = [
  {
    Effect: 'Allow',
    Action: ['dynamodb:GetItem'],
    Resource: [{ 'Fn::GetAtt': [table, 'Arn'] }],
    Condition: onlyIn('FORMAT'),
  },
  updateOf('RATE#*#*', ['requests', 'ttl']),
  updateOf('AUDIT#REFUSED', refusalAttributes),
];
const isCounting = (statement: Statement) =>
  counting.some((candidate) => isDeepStrictEqual(candidate, { ...statement }));

/** Permits adding to the audit, and nothing else in it. */
const isAccounting = ({ Action, Condition }: Statement) =>
  ['AUDIT#ACCESS', 'AUDIT#ANNOTATED'].some(
    (partition) => JSON.stringify([Action, Condition]) === only('PutItem', partition),
  );

/** Permits the condition that the credential of the caller is still valid. */
const isCallerCheck = ({ Action, Condition }: Statement) =>
  Action.join() === 'dynamodb:ConditionCheckItem' && JSON.stringify(Condition).includes('ACCOUNT#');

const actionsOf = (statements: readonly Statement[]) => [...new Set(statements.flatMap(({ Action }) => Action))].sort();

test.each([...endpoints, ...facades].map((contract) => [contract.id, contract] as const))(
  '%s may do to the table only what its contract states, and nothing elsewhere',
  (id, { access, partitions = 'inventory', accessEvents }) => {
    const statements = grantsOf(template, `Functions/${id}`);
    const uncounted = statements.filter((statement) => !isCounting(statement));
    expect(statements.length - uncounted.length).toBe(counting.length);
    const ofCaller = accessEvents !== undefined && partitions === 'inventory';
    const ordinary = uncounted.filter(
      (statement) => !isAccounting(statement) && !(ofCaller && isCallerCheck(statement)),
    );
    const unaccountable = ['inventory', 'audit', 'reports', 'admissions', 'summary', 'device_requests'];
    const isAccountable = !unaccountable.includes(partitions) || ofCaller;
    expect(uncounted.length - ordinary.length).toBe(isAccountable && access === 'write' ? (ofCaller ? 2 : 1) : 0);
    expect(actionsOf(ordinary)).toEqual(
      ownActions[id] ?? actions[partitions === 'reports' || partitions === 'admissions' ? partitions : access],
    );
    const allowed = [
      { 'Fn::GetAtt': [table, 'Arn'] },
      ...['by_name', 'by_type'].map((index) => ({
        'Fn::Join': ['', [{ 'Fn::GetAtt': [table, 'Arn'] }, `/index/${index}`]],
      })),
    ];
    for (const { Resource, Action, Condition } of statements) {
      for (const resource of Resource) expect(allowed).toContainEqual(resource);
      // An index is only queried.
      if (Resource.length > 1) expect(Action).toEqual(['dynamodb:Query']);
      expect(Condition).toBeDefined();
    }
  },
);

test('the authorizer looks up keys, accounts and users, records last uses, counts refusals, and reads its secret', () => {
  expect(grantsOf(template, 'Functions/authorizer')).toEqual([
    {
      Effect: 'Allow',
      Action: ['dynamodb:BatchGetItem', 'dynamodb:GetItem'],
      Resource: [{ 'Fn::GetAtt': [table, 'Arn'] }],
      Condition: onlyIn(
        ...['FORMAT', 'KEY#*', 'KEY_ID#*', 'SESSION#*', 'SESSION_ID#*', 'ACCOUNT#*', 'USERS', 'ROLE_BINDINGS'],
      ),
    },
    updateOf('KEY#*', useAttributes),
    updateOf('SESSION#*', useAttributes),
    updateOf('AUDIT#REFUSED', refusalAttributes),
    { Effect: 'Allow', Action: ['secretsmanager:GetSecretValue'], Resource: [{ Ref: secret }] },
  ]);
});

test("the table's set-up step may only put its items and read format and change partitions; the catch-all may only read the format and count", () => {
  expect(grantsOf(template, 'FirstAccess/setUp')).toEqual([
    {
      Effect: 'Allow',
      Action: ['dynamodb:PutItem'],
      Resource: [{ 'Fn::GetAtt': [table, 'Arn'] }],
      Condition: onlyIn('ACCOUNT#*', 'SECRET#PAGE_TOKEN', 'CHANGE_SHARDS', 'FORMAT'),
    },
    {
      Effect: 'Allow',
      Action: ['dynamodb:GetItem'],
      Resource: [{ 'Fn::GetAtt': [table, 'Arn'] }],
      Condition: onlyIn('CHANGE_SHARDS', 'FORMAT'),
    },
  ]);
  expect(grantsOf(template, 'Functions/catchAll')).toEqual(counting);
});

test('the scheduled cleanup has the rights of its endpoint, and is absent without its setting', () => {
  expect(roleOf(template, 'Cleanup/scheduledCleanup')).toEqual(roleOf(template, 'Functions/cleanUp'));
  const partsIn = (of: typeof template) =>
    ['AWS::Lambda::Function', 'AWS::IAM::Role', 'AWS::Events::Rule', 'AWS::CloudWatch::Alarm']
      .flatMap((type) => resourcesOf(of, type))
      .filter(({ path }) => /^(Cleanup|Operations\/Cleanup)/.test(path));
  expect(partsIn(template)).toHaveLength(3);
  expect(partsIn(synthesise({ scheduledCleanup: false }))).toEqual([]);
});

test('the state publisher has the rights of an endpoint that writes the inventory, and exists only with its setting', () => {
  const withEvents = synthesise({ stateEvents: true });
  expect(roleOf(withEvents, 'StateEvents/stateEvents')).toEqual(roleOf(withEvents, 'Functions/cleanUp'));
  const partsIn = (of: typeof template) =>
    resourcesOf(of).filter(({ path }) => /^(StateEvents|Operations\/States)/.test(path));
  expect(partsIn(template)).toEqual([]);
  expect(
    partsIn(withEvents)
      .map(({ type }) => type)
      .sort(),
  ).toEqual([
    'AWS::CloudWatch::Alarm',
    'AWS::Events::Rule',
    'AWS::Lambda::EventInvokeConfig',
    'AWS::Lambda::Function',
    'AWS::Lambda::Permission',
  ]);
  const [rule] = resourcesOf(withEvents, 'AWS::Events::Rule').filter(({ path }) => path.startsWith('StateEvents'));
  expect(rule!.properties).toMatchObject({ ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' });
});

test('the job function has the rights of the request, reads the stream, and stores failures', () => {
  const { id: stuck } = resourceAt(template, 'Jobs/Stuck/Resource');
  const isOfTable = ({ Condition }: Statement) => Condition !== undefined;
  const statements = grantsOf(template, 'Jobs/continueJobs');
  const asked = grantsOf(template, 'Functions/reconcile').filter((statement) => !isCounting(statement));
  const ofTable = statements.filter(isOfTable);
  expect(ofTable.slice(0, -1)).toEqual(asked);
  // Whether the credential that started it still exists: a condition, which returns no items.
  expect(ofTable.at(-1)).toMatchObject({
    Action: ['dynamodb:ConditionCheckItem'],
    Condition: {
      'ForAllValues:StringLike': {
        'dynamodb:LeadingKeys': ['KEY_ID#*', 'SESSION_ID#*', 'ACCOUNT#*', 'SESSIONS', 'ROLE_BINDINGS'],
      },
    },
  });
  expect(statements.filter((statement) => !isOfTable(statement))).toEqual([
    { Effect: 'Allow', Action: ['dynamodb:ListStreams'], Resource: ['*'] },
    {
      Effect: 'Allow',
      Action: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      Resource: [{ 'Fn::GetAtt': [table, 'StreamArn'] }],
    },
    { Effect: 'Allow', Action: ['sqs:SendMessage'], Resource: [{ 'Fn::GetAtt': [stuck, 'Arn'] }] },
  ]);
});

/** Every statement of every role about the table, with the path of the role. */
const tableStatements = resourcesOf(everything, 'AWS::IAM::Role').flatMap(({ path, properties }) =>
  statementsIn(properties)
    .filter(({ Action }) => Action.some((action) => action.startsWith('dynamodb:')))
    .filter(({ Action }) => !Action.some((action) => /Stream|Shard|GetRecords/.test(action)))
    .map((statement) => ({ path, ...statement })),
);

test('every table permission names partitions, and does not apply to requests that name none', () => {
  expect(tableStatements.length).toBeGreaterThan(30);
  for (const { path, Condition = {} } of tableStatements) {
    const forAll = Object.entries(Condition).filter(([operator]) => operator.startsWith('ForAllValues:'));
    const keys = forAll.flatMap(([, keysOf]) => Object.keys(keysOf));
    expect([path, keys]).toEqual([path, expect.arrayContaining([LEADING_KEYS])]);
    // ForAllValues is also true for a missing key.
    for (const key of keys) expect([path, Condition['Null']?.[key]]).toEqual([path, 'false']);
  }
});

test('no permission covers a whole table, and none writes without transactions and conditions', () => {
  for (const { path, Action } of tableStatements)
    for (const action of Action) expect([path, actions.write]).toEqual([path, expect.arrayContaining([action])]);
});

test('an account is read by the authorizer, put by the deployment, and changed by nobody', () => {
  const named = tableStatements.filter(({ Condition }) =>
    (Condition?.['ForAllValues:StringLike']?.[LEADING_KEYS] as string[] | undefined)?.includes('ACCOUNT#*'),
  );
  const does = new Set(named.flatMap(({ path, Action }) => Action.map((action) => `${path.split('/')[1]} ${action}`)));
  const others = [...does].filter((line) => !line.endsWith(' dynamodb:ConditionCheckItem'));
  expect(others.sort()).toEqual([
    ...['authorizer dynamodb:BatchGetItem', 'authorizer dynamodb:GetItem', 'setUp dynamodb:PutItem'],
  ]);
  for (const { path, Condition } of tableStatements) {
    const but = Condition?.['ForAllValues:StringNotLike']?.[LEADING_KEYS];
    if (but !== undefined) expect([path, but]).toEqual([path, expect.arrayContaining(['ACCOUNT#*', 'SESSIONS'])]);
  }
});

// So the authorizer need not read that item as well: nothing could write the item of a secret without it.
test.each(['KEY', 'SESSION'])(
  'a function that can put the item of a secret (%s) can also put the item by which its key is found and removed',
  (kind) => {
    const puts = tableStatements.filter(({ Action }) => Action.includes('dynamodb:PutItem'));
    const permits = ({ Condition }: Statement, partition: string) => {
      const [yes, no] = ['ForAllValues:StringLike', 'ForAllValues:StringNotLike'].map(
        (operator) => Condition?.[operator]?.[LEADING_KEYS] as string[] | undefined,
      );
      return yes?.includes(partition) ?? no?.includes(partition) === false;
    };
    const ofSecrets = puts.filter((statement) => permits(statement, `${kind}#*`));
    expect(ofSecrets.length).toBeGreaterThan(0);
    for (const { path } of ofSecrets) {
      const ofRole = puts.filter((statement) => statement.path === path);
      expect([path, ofRole.some((statement) => permits(statement, `${kind}_ID#*`))]).toEqual([path, true]);
    }
  },
);

test('only the authorizer can read the password', () => {
  const readers = resourcesOf(everything, 'AWS::IAM::Role').filter(({ properties }) =>
    actionsOf(statementsIn(properties)).some((action) => action.startsWith('secretsmanager:')),
  );
  expect(readers.map(({ id }) => id)).toEqual([roleOf(everything, 'Functions/authorizer').id]);
  const holders = resourcesOf(everything, 'AWS::Lambda::Function').filter(({ properties }) =>
    JSON.stringify(properties['Role']).includes(`"${readers[0]?.id}"`),
  );
  expect(holders.map(({ path }) => path)).toEqual(['Functions/authorizer/Function/Resource']);
});

test('a function role writes only its log', () => {
  const { id: log } = resourceAt(everything, 'Log/Resource');
  for (const { path, properties } of resourcesOf(everything, 'AWS::Lambda::Function')) {
    expect([path, properties['LoggingConfig']]).toMatchObject([path, { LogGroup: { Ref: log } }]);
    const role = roleOf(everything, path.replace('/Function/Resource', ''));
    const writing = statementsIn(role.properties['Policies']).filter(({ Action }) => Action[0]?.startsWith('logs:'));
    expect(writing).toEqual([
      {
        Effect: 'Allow',
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: [{ 'Fn::GetAtt': [log, 'Arn'] }],
      },
    ]);
  }
});

test('with an account key, table users may use it through DynamoDB only', () => {
  const { id: key } = resourceAt(everything, 'Key/Resource');
  for (const { id } of endpoints) {
    const statements = grantsOf(everything, `Functions/${id}`).filter(({ Action }) => Action[0]?.startsWith('kms:'));
    expect(statements).toHaveLength(1);
    for (const { Resource, Condition } of statements) {
      expect(Resource).toEqual([{ 'Fn::GetAtt': [key, 'Arn'] }]);
      expect(JSON.stringify(Condition)).toContain('kms:ViaService');
      expect(JSON.stringify(Condition)).toContain('dynamodb.');
    }
  }
});

test('through other services the key only decrypts, and encrypts for a queue', () => {
  const statements = resourcesOf(everything, 'AWS::IAM::Role').flatMap(({ properties }) =>
    statementsIn(properties['Policies']).filter(({ Action }) => Action[0]?.startsWith('kms:')),
  );
  const actionsFor = (service: string) =>
    statements
      .filter(({ Condition }) => JSON.stringify(Condition).includes(`"${service}.`))
      .map(({ Action }) => Action.toSorted());
  expect(new Set(actionsFor('secretsmanager').flat())).toEqual(new Set(['kms:Decrypt']));
  expect(new Set(actionsFor('sqs').flat())).toEqual(new Set(['kms:Decrypt', 'kms:GenerateDataKey']));
});

test("no role has an AWS policy, except the gateway's for its logs", () => {
  const managed = resourcesOf(everything, 'AWS::IAM::Role').filter(
    ({ properties }) => properties['ManagedPolicyArns'] !== undefined,
  );
  expect(managed.map(({ path }) => path)).toEqual(['GatewayLogs/Role/Resource']);
});

test('all deployed code is ours: no function is from the CDK', () => {
  for (const { path, properties } of resourcesOf(everything, 'AWS::Lambda::Function'))
    expect([path, properties['Runtime']]).toEqual([expect.stringMatching(/\/Function\/Resource$/), 'nodejs24.x']);
});
