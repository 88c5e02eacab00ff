import * as z from 'zod/mini';
import { refusalMessages } from '../../shared/auth/refusal-messages.ts';
import { type Role, roles } from '../../shared/auth/roles.ts';

const callerKinds = ['api_key', 'session', 'user'] as const;

export type CallerKind = (typeof callerKinds)[number];

/** The caller of a request, as the authorizer identified it. */
export const callerSchema = z.object({
  kind: z.enum(callerKinds),
  /** The key's or session's id; for a user the account name. */
  keyId: z.string(),
  name: z.string(),
  role: z.enum(roles),
  /** Seconds since 1970; undefined: never. */
  expiresAt: z.optional(z.int()),
  /** The same of the key or session itself: an older secret in its overlap ends earlier. */
  keyEndsAt: z.optional(z.int()),
  /** The id of the node that a Registrar is bound to; undefined for every other role. */
  scope: z.optional(z.string()),
  /** Addresses that a Registrar may give besides its source address, separated by spaces. */
  allowedAddresses: z.optional(z.string()),
  /**
   * The values of the owner label (setting `ownerLabel`) that limit the writes of an Editor, and of a host whose
   * enrolment token has an owner. The keys of an Editor with owners also have them. Undefined: no limit.
   */
  owners: z.optional(z.array(z.string()).check(z.minLength(1))),
  /** The rate limit of the key in requests per minute; undefined: none. */
  ratePerMinute: z.optional(z.int()),
  /** The id of the key whose count of requests the key shares; undefined: its own. */
  rateGroup: z.optional(z.string()),
  /** The digest under which the secret of a key or session is stored; undefined for a user. */
  secretDigest: z.optional(z.string()),
  /**
   * The version of the account (the time since which it has its password) against which a user's password was verified,
   * or with which a session was opened; of another user, the version of the user. Undefined for an API key.
   */
  accountVersion: z.optional(z.string()),
  /** The id of the user of a session, except for sessions of `admin`. */
  userId: z.optional(z.string()),
  /** The identity provider that confirmed who has the session, or the key of a program. Undefined: none did. */
  provider: z.optional(z.string()),
  /** The role bindings that give a key or session its role, by name, with their versions. Undefined: it rests on none. */
  restsOn: z.optional(z.record(z.string(), z.string())),
});

export type Caller = z.output<typeof callerSchema>;

/** The roles of callers that can have owners. */
const limitedRoles: ReadonlySet<Role> = new Set(['Editor', 'Viewer', 'Registrar']);

/** The authorizer's context: flat, with strings only, because API Gateway passes on nothing else. */
export function callerToContext(caller: Caller): Record<string, string> {
  const context: Record<string, string> = {};
  for (const [name, value] of Object.entries(caller))
    if (value !== undefined) context[name] = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return context;
}

type Refusal = keyof typeof refusalMessages;

/** The authorizer's context of a refused credential. It contains no caller. */
export const refusalToContext = (refusal: Refusal): Record<'message', string> => ({
  message: refusalMessages[refusal],
});

/** The text of a refusal in the authorizer's context: one of the closed list. */
export function refusalFromContext(context: unknown): string {
  const { data } = z.safeParse(z.object({ message: z.enum(Object.values(refusalMessages)) }), context);
  return data?.message ?? refusalMessages.missing;
}

const wholeNumber = z.optional(
  z.pipe(
    z.transform((value) => (typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value)),
    z.int(),
  ),
);

/** A text that is no JSON is left as it is, and refused: a caller must not lose its limits. */
function jsonIn(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

const owners = z.pipe(z.transform(jsonIn), callerSchema.shape.owners);
const restsOn = z.pipe(z.transform(jsonIn), callerSchema.shape.restsOn);

const contextSchema = z
  .extend(callerSchema, {
    ...{ expiresAt: wholeNumber, keyEndsAt: wholeNumber, ratePerMinute: wholeNumber },
    ...{ owners: z.optional(owners), restsOn: z.optional(restsOn) },
  })
  .check(
    // A Registrar without a node would be unrestricted, and no other role has a scope.
    z.refine(({ role, scope }) => (role === 'Registrar') === (scope !== undefined && scope !== '')),
    // Without it, a later change of the password could not be detected.
    z.refine(({ kind, accountVersion }) => (kind === 'api_key') === (accountVersion === undefined)),
    // No other role has a limit: an Admin with owners would be an error of the service.
    z.refine(({ role, owners }) => owners === undefined || limitedRoles.has(role)),
  );

/**
 * The caller in the authorizer's context; undefined when it is missing or invalid, and the request must then be
 * refused.
 */
export function callerFromContext(context: unknown): Caller | undefined {
  const parsed = z.safeParse(contextSchema, context);
  return parsed.success ? parsed.data : undefined;
}
