/** The vendor's id of the template of each kind of message. */
export interface SmsTemplates {
  readonly registration: string
  readonly recovery: string
  readonly notice: string
}
