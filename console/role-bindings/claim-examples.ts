/** Claims as the tokens of well-known providers contain them: the parts that bindings are made of. */
export const claimExamples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'GitHub Actions': {
    sub: 'repo:octo-org/shop:environment:production',
    repository: 'octo-org/shop',
    repository_id: '74129',
    repository_owner_id: '65',
    environment: 'production',
    ref: 'refs/heads/main',
  },
  'GitLab CI': {
    sub: 'project_path:octo-org/shop:ref_type:branch:ref:main',
    project_id: '22',
    namespace_id: '72',
    project_path: 'octo-org/shop',
    ref: 'main',
    ref_protected: 'true',
  },
  Kubernetes: {
    sub: 'system:serviceaccount:shop:deployer',
    'kubernetes.io': { namespace: 'shop', serviceaccount: { name: 'deployer' } },
  },
  AWS: {
    sub: 'arn:aws:iam::123456789012:role/deployer',
    'https://sts.amazonaws.com/': { aws_account: '123456789012', org_id: 'o-abc1234567' },
  },
  'Single sign-on': { sub: 'a1b2c3', preferred_username: 'maria.lopez', groups: ['dba', 'on-call'] },
};
