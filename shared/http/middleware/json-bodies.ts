import httpJsonBodyParser from '@middy/http-json-body-parser';
import { valueAt } from '../../core/violations.ts';
import type { ApiEvent, Identity } from '../api-request.ts';
import { checkJsonText, notJson } from '../json-body.ts';
import type { Middleware, ServedCall } from '../pipeline.ts';

const isOfParser = (error: Error | null | undefined) =>
  valueAt(error?.cause, ['package']) === '@middy/http-json-body-parser';

/**
 * Replaces the body by the value of its JSON text, and refuses JSON that the parser would accept silently.
 *
 * @param textOf throws ApiError for a body that is too large, compressed or not text.
 */
export const jsonBodies = <Call extends ServedCall, Caller extends Identity>(
  textOf: (call: Call, event: ApiEvent<Caller>) => string,
): Middleware<Call, Caller>[] => [
  {
    before: ({ event }) => {
      const text = textOf(event.call, event);
      checkJsonText(text);
      event.body = text;
      event.isBase64Encoded = false;
    },
    onError: (request) => {
      if (isOfParser(request.error)) request.error = notJson(request.event.body ?? '');
    },
  },
  // `textOf` has checked the media type.
  httpJsonBodyParser({ disableContentTypeCheck: true }),
];
