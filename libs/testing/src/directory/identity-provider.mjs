import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Provider from 'oidc-provider';

// Started by identity-provider.ts: an OpenID provider with the accounts of a file, which is read anew at each use.
const { port, accountsFile, clientId, clientSecret, redirectUri, postLogoutRedirectUri } = JSON.parse(process.argv[2]);

const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [postLogoutRedirectUri],
    },
  ],
  claims: { openid: ['sub'], profile: ['preferred_username', 'name'], email: ['email'], groups: ['groups'] },
  scopes: ['openid', 'profile', 'email', 'groups'],
  cookies: { keys: [createHash('sha256').update(clientSecret).digest('hex')] },
  features: { devInteractions: { enabled: true } },
  findAccount: (_context, id) => {
    const claims = JSON.parse(readFileSync(accountsFile, 'utf8'))[id];
    return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) };
  },
});

provider.listen(port, '127.0.0.1');
