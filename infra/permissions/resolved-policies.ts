import * as z from 'zod/mini';
import { type Resource, resourcesOf, type Template } from '../synthesis/synthesise.ts';

/** An account and a region as AWS's documentation names them: the policies of the template are checked for these. */
export const ACCOUNT = '111122223333';
export const REGION = 'us-east-1';

const arn = (service: string, rest: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${rest}`;

/** The ARN that AWS would give to a resource, by its type. */
const arns: Readonly<Record<string, (id: string) => string>> = {
  'AWS::DynamoDB::GlobalTable': (id) => arn('dynamodb', `table/${id}`),
  'AWS::IAM::Role': (id) => `arn:aws:iam::${ACCOUNT}:role/${id}`,
  'AWS::KMS::Key': (id) => arn('kms', `key/${id}`),
  'AWS::Lambda::Alias': (id) => arn('lambda', `function:${id}:warm`),
  'AWS::Lambda::Function': (id) => arn('lambda', `function:${id}`),
  'AWS::Logs::LogGroup': (id) => arn('logs', `log-group:${id}:*`),
  'AWS::S3::Bucket': (id) => `arn:aws:s3:::${id.toLowerCase()}`,
  'AWS::SQS::Queue': (id) => arn('sqs', id),
  'AWS::SecretsManager::Secret': (id) => arn('secretsmanager', `secret:${id}-AbCdEf`),
};

/** The attributes that are not the ARN itself. */
const suffixes: Readonly<Record<string, string>> = { Arn: '', StreamArn: '/stream/label' };

/** The resources whose reference is their ARN. */
const REFERRED_BY_ARN = ['AWS::Lambda::Alias', 'AWS::SecretsManager::Secret'];

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::URLSuffix': 'amazonaws.com',
};

const callSchema = z.union([
  z.strictObject({ Ref: z.string() }),
  z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }),
  z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }),
]);

const policiesSchema = z.array(z.object({ PolicyName: z.string(), PolicyDocument: z.unknown() }));

export interface RolePolicy {
  readonly name: string;
  readonly policy: unknown;
}

/** The policies of a template as IAM sees them: the functions of CloudFormation are replaced by their values. */
export class ResolvedPolicies {
  private readonly types: ReadonlyMap<string, string>;

  constructor(template: Template) {
    this.types = new Map(resourcesOf(template).map(({ id, type }) => [id, type]));
  }

  /** The policies of a role, without those that AWS manages. */
  of({ properties }: Resource): RolePolicy[] {
    return z
      .parse(policiesSchema, properties['Policies'] ?? [])
      .map(({ PolicyName, PolicyDocument }) => ({ name: PolicyName, policy: this.resolve(PolicyDocument) }));
  }

  arnOf(id: string): string {
    const type = this.types.get(id) ?? 'no resource';
    const make = arns[type];
    if (make === undefined) throw new Error(`infra/permissions/resolved-policies.ts: which ARN has ${id} (${type})?`);
    return make(id);
  }

  private resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.resolve(item));
    if (typeof value !== 'object' || value === null) return value;
    const call = z.safeParse(callSchema, value);
    if (call.success) return this.call(call.data);
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.resolve(item)]));
  }

  private call(call: z.output<typeof callSchema>): string {
    if ('Fn::Join' in call) {
      const [separator, parts] = call['Fn::Join'];
      return parts.map((part) => String(this.resolve(part))).join(separator);
    }
    if ('Ref' in call) return pseudoParameters[call.Ref] ?? this.reference(call.Ref);
    const [id, attribute] = call['Fn::GetAtt'];
    const suffix = suffixes[attribute];
    if (suffix === undefined)
      throw new Error(`infra/permissions/resolved-policies.ts: which value has ${attribute} of ${id}?`);
    return `${this.arnOf(id)}${suffix}`;
  }

  private reference(id: string): string {
    return REFERRED_BY_ARN.includes(this.types.get(id) ?? '') ? this.arnOf(id) : id;
  }
}
