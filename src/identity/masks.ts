/** 138****5678 */
export const maskPhone = (phone: string): string => `${phone.slice(0, 3)}****${phone.slice(-4)}`

/** l***@example.com */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${Array.from(email)[0]}***${email.slice(at)}`
}
