from moonlib import tides

from buoy.marks import retired

SpringTide = retired("SpringTide", tides.SpringTide)
