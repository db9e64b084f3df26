import type { SignInMethods } from '@medley/contracts';
import { Controller, Inject } from '@nestjs/common';
import { ServerConfig } from '../../config.js';
import { Route } from '../../rest/route.decorator.js';
import { Public } from '../access-rule.js';

@Controller()
export class SignInMethodsController {
  constructor(@Inject(ServerConfig) private readonly config: ServerConfig) {}

  @Route('listSignInMethods')
  @Public()
  methods(): SignInMethods {
    const { ldap, oidc } = this.config;
    return {
      password: true,
      ldap: ldap && { displayName: ldap.displayName },
      oidc: oidc && { displayName: oidc.displayName, signOut: oidc.logout },
    };
  }
}
