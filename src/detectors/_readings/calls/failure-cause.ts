export type FailureClass =
  | 'rate_limit'
  | 'auth'
  | 'not_found'
  | 'timeout'
  | 'exhaustion'
  | 'service'
  | 'invalid_arguments'
  | 'schema_mismatch'
  | 'internal_error'
  | 'declined'
  | 'other';

/** What an error says about its cause beyond its class. Each of them needs a statement and an advice of its own. */
export type FailureReason =
  // exhaustion
  | 'money'
  | 'storage'
  | 'memory'
  | 'open_files'
  | 'connections'
  | 'size'
  | 'quota'
  // service
  | 'certificate'
  | 'tls'
  | 'name_resolution'
  | 'lost_connection'
  | 'overloaded'
  | 'gateway'
  | 'server_error'
  // timeout
  | 'no_connection_in_time'
  | 'gateway_timeout'
  // auth
  | 'system_permission'
  | 'missing_credential'
  // not_found
  | 'missing_package'
  | 'missing_table'
  | 'missing_method'
  // invalid_arguments
  | 'request_form'
  | 'bad_request'
  // other
  | 'lock'
  | 'conflict'
  | 'killed'
  | 'cancelled'
  | 'content_filter'
  | 'read_only'
  | 'configuration';

export interface FailureCause {
  class: FailureClass;
  /** Null if the error says no more than its class. */
  reason: FailureReason | null;
}
