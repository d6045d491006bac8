import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'
import styles from './button.module.css'

interface ButtonLook {
  readonly variant?: 'filled' | 'default' | 'subtle'
  readonly size?: 'xs' | 'sm' | 'md' | 'compact-xs' | 'compact-sm' | 'compact-md'
  readonly className?: string | undefined
}

/** Attributes that make an element look like a button. */
export const buttonLook = ({ variant = 'filled', size = 'sm', className = '' }: ButtonLook = {}) => ({
  className: `${styles.button} ${className}`,
  'data-variant': variant,
  'data-size': size,
})

export interface ButtonProps extends ButtonLook, Omit<ComponentProps<'button'>, 'className'> {
  readonly icon?: ReactNode
  readonly loading?: boolean
  readonly isDestructive?: boolean | undefined
}

export function Button(props: ButtonProps) {
  const { variant, size, className, icon, loading, isDestructive, disabled, children, ...rest } = props
  return (
    <button
      type="button"
      {...buttonLook({ ...(variant && { variant }), ...(size && { size }), className })}
      data-destructive={isDestructive || undefined}
      data-loading={loading || undefined}
      disabled={disabled || loading}
      {...rest}
    >
      {icon}
      {children}
    </button>
  )
}

interface LinkButtonProps extends ButtonLook {
  readonly href: string
  readonly onClick?: () => void
  /** History state for the page it leads to. */
  readonly state?: object
  readonly children: ReactNode
}

/** A link to a page of the console that looks like a button. */
export const LinkButton = ({ variant, size, className, ...link }: LinkButtonProps) => (
  <Link {...link} {...buttonLook({ ...(variant && { variant }), ...(size && { size }), className })} />
)

interface IconButtonProps extends ComponentProps<'button'> {
  readonly 'aria-label': string
}

export const IconButton = ({ className = '', ...button }: IconButtonProps) => (
  <button type="button" className={`${styles.square} ${className}`} {...button} />
)

export const RowButton = (props: Omit<ComponentProps<'button'>, 'className' | 'type'>) => (
  <button type="button" className={styles.row} {...props} />
)

export const Spinner = () => <span className={styles.spinner} aria-hidden="true" />
