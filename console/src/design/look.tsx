import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { theme } from './theme.ts'

const colorSchemes = localStorageColorSchemeManager({ key: 'console-color-scheme' })

/** The theme and the colour scheme of everything inside. */
export const Look = ({ children }: { children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    colorSchemeManager={colorSchemes}
    // Both would be style elements, which the policy of the page forbids; the stylesheet has them.
    withCssVariables={false}
    withGlobalClasses={false}
  >
    {children}
  </MantineProvider>
)
