import { AppError } from '../../core/app-error.ts';
import type { RegistrationTable } from '../../store/integration-tables.ts';
import type { Cipher } from './cipher.ts';

/** The encrypted values of a registration. */
export interface RegistrationSecrets {
  credentials: Record<string, string>;
  /** Key of its webhook's signatures. */
  webhook: string | null;
}

type SecretColumns = Pick<RegistrationTable, 'secrets' | 'secret_names'>;

export interface SealedSecrets {
  seal(registrationId: string, secrets: RegistrationSecrets): SecretColumns;
  /** @throws AppError `conflict` if they were encrypted with another key */
  open(row: RegistrationTable): RegistrationSecrets;
  /** Omits those encrypted with another key: lost ones must not block the rest. */
  openOrNone(row: RegistrationTable): RegistrationSecrets;
}

export function createSealedSecrets(cipher: Cipher): SealedSecrets {
  function open({ secrets, registration_id }: RegistrationTable): RegistrationSecrets {
    return secrets === null ? none() : (JSON.parse(cipher.open(secrets, registration_id)) as RegistrationSecrets);
  }
  return {
    seal(registrationId, secrets) {
      const names = Object.keys(secrets.credentials).sort();
      const isEmpty = names.length === 0 && secrets.webhook === null;
      return {
        secrets: isEmpty ? null : cipher.seal(JSON.stringify(secrets), registrationId),
        secret_names: JSON.stringify(names),
      };
    },
    open,
    openOrNone(row) {
      try {
        return open(row);
      } catch (error) {
        if (error instanceof AppError && error.code === 'conflict') return none();
        throw error;
      }
    },
  };
}

function none(): RegistrationSecrets {
  return { credentials: {}, webhook: null };
}
