import { Global, Module } from '@nestjs/common';
import { SecretKeys } from './secret-keys.js';
import { SecretsController } from './secrets.controller.js';
import { SecretsService } from './secrets.service.js';

/** Global for the keys, with which claims open what they deliver. */
@Global()
@Module({ controllers: [SecretsController], providers: [SecretsService, SecretKeys], exports: [SecretKeys] })
export class SecretsModule {}
