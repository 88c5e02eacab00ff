// Generated from the contracts in functions/ by `npm run generate`: change those, not this file.

export const VERSION = '0.3.0-dev';
