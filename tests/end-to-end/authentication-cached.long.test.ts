/** The authentication suite once more, with a gateway that keeps the answers of the authorizer as the deployed one does. */
process.env['TEST_AUTHORIZER_CACHE_SECONDS'] = '30';

await import('./authentication.long.test.ts');
