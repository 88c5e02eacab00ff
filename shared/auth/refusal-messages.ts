/** Why a caller is refused with 401: the closed list of words that reach the caller. */
export const refusalMessages = {
  missing: 'Unauthorized',
  invalid: 'Invalid API key',
  expired: 'Expired API key',
  password: 'Invalid username or password',
} as const;
