interface Asking {
  kind: 'api_key' | 'session' | 'user';
  keyId: string;
  name: string;
}

/** Whose a plan is: the key's that asked for it, or the user's, in whatever session. No key has such an id. */
export function planOwner({ kind, keyId, name }: Asking): string {
  return kind === 'api_key' ? keyId : `user ${name}`;
}
