/** A user name with a password, as a request presents them. */
export interface PasswordAttempt {
  /** Undefined when no account has this user name. */
  account: { password_hash?: string | undefined; secret_arn?: string | undefined } | undefined;
  user: string;
  password: string;
  /** The source address, as the gateway saw it. */
  sourceIp: string;
  now: Date;
}

/**
 * Whether the password is the account's; always false for an unknown user name, at the same cost. The deployed
 * authorizer compares with a secret (account-secret.ts), the local server verifies a hash
 * (local/login/password-check.ts).
 */
export type CheckPassword = (attempt: PasswordAttempt) => Promise<boolean>;
