import aws4 from 'aws4';
import fc from '../testing/fast-check.ts';
import { RequestSigner } from './sign-request.ts';

const visible = fc.stringMatching(/^[!-~]{1,40}$/);

/** aws4 would sign these in addition. It reads the time from `date`. */
const extraHeadersToIgnore = { 'content-length': true, date: true };

test('signs as aws4 does, whatever the body, the time and the credentials', () => {
  fc.assert(
    fc.property(
      fc.record(
        { accessKeyId: visible, secretAccessKey: visible, sessionToken: visible },
        { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
      ),
      fc.record({ region: visible, service: visible }),
      fc.record({ host: fc.domain(), target: visible, body: fc.string({ unit: 'grapheme', minLength: 1 }) }),
      fc.array(fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }), { minLength: 1 }),
      (credentials, service, { host, target, body }, times) => {
        const signer = new RequestSigner(service, credentials);
        const contentType = 'application/x-amz-json-1.0';
        // One signer for several days: its key belongs to one.
        for (const now of times) {
          const headers = signer.headersOf({ host, contentType, target, body }, now);
          const request = {
            ...service,
            method: 'POST',
            path: '/',
            headers: { host, 'content-type': contentType, 'x-amz-target': target, date: now.toISOString() },
            body,
            extraHeadersToIgnore,
          };
          const expected = aws4.sign(request, credentials).headers;
          expect(headers['authorization']).toBe(expected?.['Authorization']);
          expect(headers['x-amz-date']).toBe(expected?.['X-Amz-Date']);
          expect(headers['x-amz-security-token']).toBe(expected?.['X-Amz-Security-Token']);
        }
      },
    ),
  );
});
