import { useRef } from 'preact/hooks'

export function useList(value: number[]) {
  return useRef(value)
}
