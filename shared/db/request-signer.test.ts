import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from '../testing/fast-check.ts';
import { RequestSigner } from './request-signer.ts';

const visible = fc.stringMatching(/^[!-~]{1,40}$/);

test('signs as the SDK does, whatever the body, the time and the credentials', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record(
          { accessKeyId: visible, secretAccessKey: visible, sessionToken: visible },
          { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
        ),
        { minLength: 1, maxLength: 3 },
      ),
      fc.stringMatching(/^[a-z0-9-]{1,20}$/),
      fc.record({ host: fc.domain(), target: visible, body: fc.string({ unit: 'grapheme', minLength: 1 }) }),
      fc.array(fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }), { minLength: 1 }),
      async (identities, region, { host, target, body }, times) => {
        let credentials = identities[0]!;
        const signer = new RequestSigner(() => ({
          credentials: () => Promise.resolve(credentials as never),
          region: () => Promise.resolve(region),
        }));
        // One signer for several days and credentials: its key belongs to one of each.
        for (credentials of identities)
          for (const signingDate of times) {
            const request = () =>
              new HttpRequest({
                method: 'POST',
                hostname: host,
                path: '/',
                headers: { host, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target },
                body,
              });
            const sdk = new SignatureV4({
              credentials,
              region,
              service: 'dynamodb',
              sha256: Sha256,
              applyChecksum: false,
            });
            const expected = await sdk.sign(request(), { signingDate });
            expect((await signer.sign(request(), { signingDate })).headers).toEqual(expected.headers);
          }
      },
    ),
  );
});
