import * as z from 'zod/mini';
import { type GrantedRole, grantedRoles } from '../../../shared/auth/roles.ts';
import type { Violation } from '../../../shared/core/errors.ts';
import { isLegible, text } from '../../../shared/core/text.ts';
import { listOfDifferent, recordShape, shortText } from '../fields/common-fields.ts';
import { type IdentityProvider, publicIssuers } from '../fields/identity-providers.ts';
import { described, maker } from './api-key.ts';
import { ownersSchema, storedOwners } from './owners.ts';
import { openEnum } from '../fields/open-enum.ts';

/** Every log-in by a provider reads all bindings: at most 100, of which one has at most some 4 KB. */
export const MAX_ROLE_BINDINGS = 100;

const MAX_CLAIMS = 10;
const MAX_VALUES = 50;
const MAX_CLAIMS_LENGTH = 4000;

/** Names of bindings are parts of paths; `preview` is the path of the preview. */
const NAME = /^(?!preview$)[a-z0-9][a-z0-9._-]{0,63}$/;
const NAME_RULE =
  'Must be a lower-case letter or digit, then up to 63 lower-case letters, digits, dots, hyphens or underscores, and not preview.';

const refuse = (field: string, message: string, reason = 'not_allowed'): Violation => ({ field, reason, message });

const newBindingName = z.string().check(
  z.check(({ value, issues }) => {
    if (NAME.test(value)) return;
    issues.push({ code: 'custom', input: value, message: NAME_RULE, params: { reason: 'invalid_format' } });
  }),
  z.meta({ description: `Unique among all role bindings; also the id. ${NAME_RULE}`, minLength: 1, maxLength: 64 }),
);

const claimName = text({ max: 256 }).check(isLegible());
const claimValue = text({ max: 512 }).check(isLegible());

const claims = z
  .record(
    claimName,
    listOfDifferent(claimValue, MAX_VALUES, 'Values, one of which the claim must have.').check(z.minLength(1)),
  )
  .check(
    z.check(({ value, issues }) => {
      const isSmall = Object.keys(value).length <= MAX_CLAIMS && JSON.stringify(value).length <= MAX_CLAIMS_LENGTH;
      if (isSmall) return;
      const message = `Must have at most ${MAX_CLAIMS} claims and ${MAX_CLAIMS_LENGTH} characters.`;
      issues.push({ code: 'custom', input: value, message, params: { reason: 'too_many' } });
    }),
  )
  .register(z.globalRegistry, {
    id: 'Bound_claims',
    maxProperties: MAX_CLAIMS,
    description:
      'The identity must have each of these claims with one of its values, compared exactly as text; of a claim that is a ' +
      'list, one element. A name that begins with `/` is a JSON pointer (RFC 6901) to a claim inside another: ' +
      '`/kubernetes.io/namespace`.',
  });

const ROLE = 'Role of the identity. With Registrar, a log-in returns an enrolment token for one host instead of a key.';
const role = z.enum(grantedRoles).check(z.meta({ description: ROLE }));

const nodeNameClaim = claimName.check(
  z.meta({ description: 'Of a Registrar: the claim with the name of the only node that it may enrol, also again.' }),
);

const provider = text({ max: 32 }).check(z.meta({ description: 'Name of the identity provider, as in the settings.' }));

const description = shortText.check(isLegible(), z.meta({ description: 'Purpose.' }));

export const roleBindingAddition = z
  .strictObject({
    name: newBindingName,
    provider,
    claims,
    role,
    owners: z.optional(ownersSchema),
    node_name_claim: z.optional(nodeNameClaim),
    description: z.optional(description),
  })
  .register(z.globalRegistry, { id: 'Add_role_binding', description: 'A role binding to add.' });

export const roleBindingChange = z
  .strictObject({
    claims: z.optional(claims),
    role: z.optional(role),
    owners: z.optional(z.nullable(ownersSchema)),
    node_name_claim: z.optional(z.nullable(nodeNameClaim)),
    description: z.optional(z.nullable(description)),
  })
  .register(z.globalRegistry, { id: 'Change_role_binding', description: 'Fields of a role binding to change.' });

/** An id of a binding; other text of this length is not found. */
export const bindingIdInPath = z
  .string()
  .check(z.minLength(1), z.maxLength(64), z.meta({ description: 'Id of the role binding: its name.' }));

/** The same in replies: bindings may have been stored before the present rules. */
const storedClaims = z
  .record(z.string(), z.array(z.string()))
  .check(z.meta({ description: 'The claims that an identity must have, each with its possible values.' }));

export const roleBindingSchema = z
  .strictObject({
    binding_id: described('Id of the role binding: its name.'),
    name: described('Unique among all role bindings.'),
    provider: described('Name of the identity provider.'),
    claims: storedClaims,
    role: openEnum(grantedRoles, ROLE),
    owners: z.optional(storedOwners),
    node_name_claim: z.optional(described('The claim with the name of the node that a Registrar may enrol.')),
    description: z.optional(described('Purpose.')),
    created_by: maker,
    ...recordShape(),
  })
  .register(z.globalRegistry, { id: 'Role_binding', description: 'A role for the identities with some claims.' });

/** The fields of a binding that its rules concern. */
export interface BindingRules {
  provider: string;
  claims: Readonly<Record<string, readonly string[]>>;
  role: GrantedRole;
  owners?: readonly string[] | undefined;
  node_name_claim?: string | undefined;
}

function claimProblems({ claims: bound }: BindingRules, { name, kind, issuer }: IdentityProvider): Violation[] {
  const identifying = publicIssuers[issuer];
  if (identifying !== undefined && !identifying.some((claim) => Object.hasOwn(bound, claim))) {
    const message = `Anybody can get a token of ${issuer}: bind one of ${identifying.join(', ')} too.`;
    return [refuse('claims', message, 'required')];
  }
  if (kind === 'jwt' && Object.keys(bound).length === 0)
    return [
      refuse(
        'claims',
        `Bind at least one claim of ${name}: otherwise every program of it would get the role.`,
        'required',
      ),
    ];
  return [];
}

/** The rules over several fields, and over the provider. */
export function bindingProblems(binding: BindingRules, providers: readonly IdentityProvider[]): Violation[] {
  const { provider: providerName, role: granted, owners, node_name_claim: nodeName } = binding;
  const provider = providers.find(({ name }) => name === providerName);
  const providerNames = providers.map(({ name }) => name).join(', ');
  const isRegistrar = granted === 'Registrar';
  return [
    ...(provider === undefined
      ? [
          refuse(
            'provider',
            `Unknown provider. Providers in the settings: ${providerNames === '' ? 'none' : providerNames}.`,
            'unknown',
          ),
        ]
      : claimProblems(binding, provider)),
    ...(owners !== undefined && granted === 'Admin' ? [refuse('owners', 'An Admin cannot have owners.')] : []),
    ...(owners !== undefined && owners.length > 1 && isRegistrar
      ? [refuse('owners', 'A Registrar can have one owner: that of its node.')]
      : []),
    ...(nodeName !== undefined && !isRegistrar
      ? [refuse('node_name_claim', 'Only a binding with the role Registrar can have it.')]
      : []),
  ];
}

export const previewSchema = z
  .strictObject({
    provider,
    claims: z
      .record(z.string().check(z.maxLength(256)), z.unknown())
      .check(z.meta({ description: 'The claims of an identity, as its token contains them.' })),
  })
  .register(z.globalRegistry, { id: 'Preview_grant', description: 'Claims of an identity, without a token.' });

export const grantSchema = z
  .strictObject({
    role: z.optional(role.check(z.meta({ description: 'The role that the identity gets; absent: no access.' }))),
    owners: z.optional(storedOwners),
    bindings: z
      .array(
        z.strictObject({
          binding_id: described('Id of the role binding.'),
          role,
          matched: z.boolean().check(z.meta({ description: 'Whether the identity has all of its claims.' })),
          missing_claims: z
            .array(described('Name of a claim.'))
            .check(z.meta({ description: 'Claims that the identity lacks, or has with another value.' })),
        }),
      )
      .check(z.meta({ description: 'The role bindings of the provider, sorted by id.' })),
  })
  .register(z.globalRegistry, { id: 'Grant', description: 'The role that an identity would get, and why.' });
