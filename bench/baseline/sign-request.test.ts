import { authorizationOf, signingKey } from './sign-request.ts';

/** Those of AWS's test suite for Signature Version 4. */
const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
};
const date = '20150830T123600Z';

test('signs a request as in the example "post-vanilla" of AWS', () => {
  const key = signingKey(credentials, '20150830');
  const headers = { host: 'example.amazonaws.com', 'x-amz-date': date };
  expect(authorizationOf(credentials, { key, date }, { headers, body: '' })).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
      'SignedHeaders=host;x-amz-date, Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  );
});

test('derives the key of the example in the documentation', () => {
  expect(signingKey({ ...credentials, service: 'iam' }, '20150830').toString('hex')).toBe(
    'c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9',
  );
});
