export const parts = [
  'buoy/anchor_chain',
  'buoy/tide_table',
];
