/**
 * The path below which the server has the API and the site: empty, unless API Gateway serves them without CloudFront and without a host name
 * of their own. Then it is the stage of the API: `/live`.
 */
export const base = new URL('.', document.baseURI).pathname.replace(/\/$/, '');
