import { generate } from 'selfsigned';

/** A certificate that nobody trusts unless it is given, and its key, in PEM. */
export interface OwnCertificate {
  cert: string;
  key: string;
}

/** As that of `npm start`, for other names and addresses of IPv4. */
export async function ownCertificate(names: readonly string[], addresses: readonly string[]): Promise<OwnCertificate> {
  const altNames = [
    ...names.map((value) => ({ type: 2 as const, value })),
    ...addresses.map((ip) => ({ type: 7 as const, ip })),
  ];
  const { cert, private: key } = await generate([{ name: 'commonName', value: names[0] ?? addresses[0] ?? '' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  return { cert, key };
}
