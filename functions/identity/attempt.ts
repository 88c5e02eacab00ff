import type * as z from 'zod/mini';
import type { loggedInSchema, logInSchema } from '../domain/access/log-in.ts';

/** A proof of identity. */
export type Proof = z.output<typeof logInSchema>;
export type ProofOf<Method extends Proof['method']> = Extract<Proof, { method: Method }>;

/** The session that a log-in opens, as the reply shows it. */
export type LoggedIn = z.output<typeof loggedInSchema>;

/** An attempt to log in. */
export interface Attempt {
  sourceIp: string;
  requestId: string;
  now: Date;
}
