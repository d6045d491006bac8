import type { PasswordCost } from '../../src/features/identity/accounts/passwords.ts'

/** The real cost is 30 ms of processor time for each password. */
export const cheapPasswords: PasswordCost = { memoryKib: 64, passes: 1, parallelism: 1 }
