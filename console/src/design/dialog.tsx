import { Modal } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './dialog.module.css'

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Something would be lost: only the dialog's own buttons close it. */
  readonly isHeld?: boolean
  readonly children: ReactNode
}

export function Dialog({ title, isOpen, onClose, isHeld, children }: DialogProps) {
  const { t } = useTranslation()
  useEffect(() => {
    // Mantine would do it with a style element, which the policy of the page forbids.
    document.documentElement.classList.toggle(styles.still!, isOpen)
    return () => document.documentElement.classList.remove(styles.still!)
  }, [isOpen])
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      centered
      lockScroll={false}
      withCloseButton={!isHeld}
      closeOnClickOutside={!isHeld}
      closeOnEscape={!isHeld}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      classNames={{ content: styles.content!, title: styles.title!, header: styles.header!, body: styles.body! }}
      transitionProps={{ transition: 'fade', duration: 120 }}
      size="lg"
    >
      {children}
    </Modal>
  )
}

/** The buttons at the foot of a dialog, the safe one first. */
export const DialogActions = ({ children }: { children: ReactNode }) => <div className={styles.actions}>{children}</div>
