/** Pattern of the user name of an account. It contains neither the colon of Basic nor characters that need escaping. */
export const accountNamePattern = /^[a-z][a-z0-9_.-]{0,63}$/;

/** In UTF-16 code units; a longer password cannot be presented. */
export const maxPasswordLength = 512;
