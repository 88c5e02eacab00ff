import * as z from 'zod/mini';
import { roles } from '../../shared/auth/roles.ts';

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
  /** The id of the node that a Registrar is bound to; undefined for every other role. */
  scope: z.optional(z.string()),
  /** Addresses that a Registrar may give besides its source address, separated by spaces. */
  allowedAddresses: z.optional(z.string()),
  /** The rate limit of the key in requests per minute; undefined: none. */
  ratePerMinute: z.optional(z.int()),
  /** The digest under which the secret of a key or session is stored; undefined for a user. */
  secretDigest: z.optional(z.string()),
  /**
   * The version of the account (the time since which it has its password) against which a user's password was verified,
   * or with which a session was opened; undefined for an API key.
   */
  accountVersion: z.optional(z.string()),
});

export type Caller = z.output<typeof callerSchema>;

/** The authorizer's context: flat, with strings only, because API Gateway passes on nothing else. */
export function callerToContext(caller: Caller): Record<string, string> {
  const context: Record<string, string> = {};
  for (const [name, value] of Object.entries(caller)) if (value !== undefined) context[name] = String(value);
  return context;
}

const wholeNumber = z.optional(
  z.pipe(
    z.transform((value) => (typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value)),
    z.int(),
  ),
);

const contextSchema = z.extend(callerSchema, { expiresAt: wholeNumber, ratePerMinute: wholeNumber }).check(
  // A Registrar without a node would be unrestricted, and no other role has a scope.
  z.refine(({ role, scope }) => (role === 'Registrar') === (scope !== undefined && scope !== '')),
  // Without it, a later change of the password could not be detected.
  z.refine(({ kind, accountVersion }) => (kind === 'api_key') === (accountVersion === undefined)),
);

/**
 * The caller in the authorizer's context; undefined when it is missing or invalid, and the request must then be
 * refused.
 */
export function callerFromContext(context: unknown): Caller | undefined {
  const parsed = z.safeParse(contextSchema, context);
  return parsed.success ? parsed.data : undefined;
}
