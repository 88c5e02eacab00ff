/**
 * Requests a second of all APIs of an account in a region, and in the newer regions that have a lower default.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
export const GATEWAY_RATE = 10_000;
export const GATEWAY_RATE_OF_NEWER_REGIONS = 2500;
