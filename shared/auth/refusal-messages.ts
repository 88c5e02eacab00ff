/** The reasons of a 401: the closed list of texts that callers see. */
export const refusalMessages = {
  missing: 'Unauthorized',
  invalid: 'Invalid API key',
  expired: 'Expired API key',
  password: 'Invalid username or password',
  logIn: 'Log-in refused',
} as const;
