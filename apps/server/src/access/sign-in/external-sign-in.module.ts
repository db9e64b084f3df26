import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { ServerConfig } from '../../config.js';
import { LdapDirectory } from '../ldap/ldap-directory.js';
import { OidcController } from '../oidc/oidc.controller.js';
import { OidcProvider } from '../oidc/oidc-provider.js';
import { SignInService } from './sign-in.service.js';
import { SignInMethodsController } from './sign-in-methods.controller.js';

/** Sign-in by people whom another system knows. */
@Module({
  controllers: [SignInMethodsController, OidcController],
  providers: [OidcProvider, LdapDirectory],
})
export class ExternalSignInModule implements OnModuleInit {
  constructor(
    @Inject(ServerConfig) private readonly config: ServerConfig,
    @Inject(SignInService) private readonly signIns: SignInService,
    @Inject(LdapDirectory) private readonly directory: LdapDirectory,
  ) {}

  onModuleInit(): void {
    if (this.config.ldap !== null) this.signIns.addDirectory(this.directory);
  }
}
