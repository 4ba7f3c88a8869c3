export interface FieldError {
  /** RFC 6901 pointer to the field, or `?name` for a query parameter. */
  pointer: string;
  message: string;
}
