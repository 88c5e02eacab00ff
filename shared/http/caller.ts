import * as z from 'zod/mini';
import { roles } from '../auth/roles.ts';

const callerKinds = ['api_key', 'session', 'user'] as const;

export type CallerKind = (typeof callerKinds)[number];

/** Whoever made the request, as the authorizer found out. */
export const callerSchema = z.object({
  kind: z.enum(callerKinds),
  /** The key's or session's id; for a user the account name. */
  keyId: z.string(),
  name: z.string(),
  role: z.enum(roles),
  /** Seconds since 1970; undefined means for ever. */
  expiresAt: z.optional(z.int()),
  /** What a Registrar is bound to, by id; undefined for every other role. */
  scope: z.optional(z.string()),
  /** Which addresses a Registrar may give besides the one that it calls from, separated by spaces. */
  allowedAddresses: z.optional(z.string()),
  /** Most requests in a minute; undefined means no limit of its own. */
  ratePerMinute: z.optional(z.int()),
  /** Digest under which the presented secret of a key or session is stored; undefined for a user. */
  secretDigest: z.optional(z.string()),
  /**
   * The version of the account, that is since when it has its password, that a user's password was checked against or that
   * a session was opened with; undefined for an API key.
   */
  accountVersion: z.optional(z.string()),
});

export type Caller = z.output<typeof callerSchema>;

/** The authorizer's context: flat, and everything in it a string, as API Gateway hands it on. */
export function callerToContext(caller: Caller): Record<string, string> {
  return Object.fromEntries(
    Object.entries(caller).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

const wholeNumber = z.optional(
  z.pipe(
    z.transform((value) => (typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value)),
    z.int(),
  ),
);

const contextSchema = z.extend(callerSchema, { expiresAt: wholeNumber, ratePerMinute: wholeNumber }).check(
  // Bound to nothing it would be bound by nothing; and no other role is ever bound.
  z.refine(({ role, scope }) => (role === 'Registrar') === (scope !== undefined && scope !== '')),
  // Without it nobody could tell whether the password has changed since.
  z.refine(({ kind, accountVersion }) => (kind === 'api_key') === (accountVersion === undefined)),
);

/** The caller that the authorizer vouched for, or undefined when there is none or it is garbled: then nobody may. */
export function callerFromContext(context: unknown): Caller | undefined {
  const parsed = z.safeParse(contextSchema, context);
  return parsed.success ? parsed.data : undefined;
}
