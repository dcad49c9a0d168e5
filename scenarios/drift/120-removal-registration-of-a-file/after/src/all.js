export const parts = [
  'buoy/tide_table',
];
