interface PlanCaller {
  kind: 'api_key' | 'session' | 'user';
  keyId: string;
  name: string;
}

/** The owner of a plan: the API key that requested it, or the user in any session. No key has an id of this form. */
export function planOwner({ kind, keyId, name }: PlanCaller): string {
  return kind === 'api_key' ? keyId : `user ${name}`;
}
