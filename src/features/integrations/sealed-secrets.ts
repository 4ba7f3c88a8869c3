import { AppError } from '../../core/app-error.ts';
import type { RegistrationTable } from '../../store/integration-tables.ts';
import type { SecretBox } from './secret-box.ts';

/** What is sealed of a registration. */
export interface RegistrationSecrets {
  credentials: Record<string, string>;
  /** Key of its webhook's signatures. */
  webhook: string | null;
}

type SecretColumns = Pick<RegistrationTable, 'secrets' | 'secret_names'>;

export interface SealedSecrets {
  seal(registrationId: string, secrets: RegistrationSecrets): SecretColumns;
  /** @throws AppError `conflict` where another key sealed them */
  open(row: RegistrationTable): RegistrationSecrets;
  /** None where another key sealed them: what is lost must not shut out the rest. */
  openOrNone(row: RegistrationTable): RegistrationSecrets;
}

export function createSealedSecrets(box: SecretBox): SealedSecrets {
  function open({ secrets, registration_id }: RegistrationTable): RegistrationSecrets {
    return secrets === null ? none() : (JSON.parse(box.open(secrets, registration_id)) as RegistrationSecrets);
  }
  return {
    seal(registrationId, secrets) {
      const names = Object.keys(secrets.credentials).sort();
      const isEmpty = names.length === 0 && secrets.webhook === null;
      return {
        secrets: isEmpty ? null : box.seal(JSON.stringify(secrets), registrationId),
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
