export const isPhone = (text: string): boolean => /^1[3-9][0-9]{9}$/.test(text)

export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())
